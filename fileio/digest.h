/*
 * digest: CRC-32C (Castagnoli; RFC 3720, section 12.1 and appendix B.4).
 *
 * It finds damage, by chance and not by intent, at the speed of the disk, which
 * is what this load needs; a cryptographic one would measure the processor.
 */
#ifndef QS_DIGEST_H
#define QS_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Of the bytes so far (0: none yet) and n more. */
uint32_t digest_crc32c(uint32_t crc, const void *data, size_t n);

#endif
