/* digest: CRC-32C by eight tables (slicing; Kounavis and Berry, 2005). */
#include "digest.h"

#define POLYNOMIAL 0x82f63b78u	/* 0x1edc6f41, bits reversed */

static uint32_t table[8][256];

static void
make_tables(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? POLYNOMIAL : 0);
		table[0][i] = c;
	}
	for (int t = 1; t < 8; t++)
		for (uint32_t i = 0; i < 256; i++)
			table[t][i] = table[t - 1][i] >> 8 ^
			    table[0][table[t - 1][i] & 255];
}

static uint32_t
little(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

uint32_t
digest_crc32c(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;

	if (table[0][1] == 0)
		make_tables();
	crc = ~crc;
	for (; n >= 8; n -= 8, p += 8) {
		uint32_t a = little(p) ^ crc, b = little(p + 4);

		crc = table[7][a & 255] ^ table[6][a >> 8 & 255] ^
		    table[5][a >> 16 & 255] ^ table[4][a >> 24] ^
		    table[3][b & 255] ^ table[2][b >> 8 & 255] ^
		    table[1][b >> 16 & 255] ^ table[0][b >> 24];
	}
	while (n-- > 0)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
	return ~crc;
}
