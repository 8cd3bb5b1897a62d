/*
 * small: sorting networks for up to SORT_SMALL elements: the order of exchanges
 * does not depend on the data, so nothing is mispredicted.  The lengths, 5, 9,
 * 12, 16 and 19 for 4 to 8 elements, are the least possible (Knuth, The Art of
 * Computer Programming 3, section 5.3.4).
 */
#include "sort.h"

#define ORDER(i, j) sort_order(&x##i, &x##j)

static inline void sort_four(int32_t *a);
static inline void sort_five(int32_t *a);
static inline void sort_six(int32_t *a);
static inline void sort_seven(int32_t *a);
static inline void sort_eight(int32_t *a);

void
sort_small(int32_t *a, size_t n)
{
	switch (n) {
	case 8: sort_eight(a); break;
	case 7: sort_seven(a); break;
	case 6: sort_six(a); break;
	case 5: sort_five(a); break;
	case 4: sort_four(a); break;
	case 3:
		sort_order(&a[0], &a[1]);
		sort_order(&a[1], &a[2]);
		sort_order(&a[0], &a[1]);
		break;
	case 2: sort_order(&a[0], &a[1]); break;
	default: break;
	}
}

static inline void
sort_four(int32_t *a)
{
	int32_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];

	ORDER(0, 1); ORDER(2, 3);
	ORDER(0, 2); ORDER(1, 3);
	ORDER(1, 2);
	a[0] = x0;
	a[1] = x1;
	a[2] = x2;
	a[3] = x3;
}

static inline void
sort_five(int32_t *a)
{
	int32_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
	int32_t x4 = a[4];

	ORDER(0, 3); ORDER(1, 4);
	ORDER(0, 2); ORDER(1, 3);
	ORDER(0, 1); ORDER(2, 4);
	ORDER(1, 2); ORDER(3, 4);
	ORDER(2, 3);
	a[0] = x0;
	a[1] = x1;
	a[2] = x2;
	a[3] = x3;
	a[4] = x4;
}

static inline void
sort_six(int32_t *a)
{
	int32_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
	int32_t x4 = a[4], x5 = a[5];

	ORDER(0, 5); ORDER(1, 3); ORDER(2, 4);
	ORDER(1, 2); ORDER(3, 4);
	ORDER(0, 3); ORDER(2, 5);
	ORDER(0, 1); ORDER(2, 3); ORDER(4, 5);
	ORDER(1, 2); ORDER(3, 4);
	a[0] = x0;
	a[1] = x1;
	a[2] = x2;
	a[3] = x3;
	a[4] = x4;
	a[5] = x5;
}

static inline void
sort_seven(int32_t *a)
{
	int32_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
	int32_t x4 = a[4], x5 = a[5], x6 = a[6];

	ORDER(0, 6); ORDER(2, 3); ORDER(4, 5);
	ORDER(0, 2); ORDER(1, 4); ORDER(3, 6);
	ORDER(0, 1); ORDER(2, 5); ORDER(3, 4);
	ORDER(1, 2); ORDER(4, 6);
	ORDER(2, 3); ORDER(4, 5);
	ORDER(1, 2); ORDER(3, 4); ORDER(5, 6);
	a[0] = x0;
	a[1] = x1;
	a[2] = x2;
	a[3] = x3;
	a[4] = x4;
	a[5] = x5;
	a[6] = x6;
}

static inline void
sort_eight(int32_t *a)
{
	int32_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
	int32_t x4 = a[4], x5 = a[5], x6 = a[6], x7 = a[7];

	ORDER(0, 2); ORDER(1, 3); ORDER(4, 6); ORDER(5, 7);
	ORDER(0, 4); ORDER(1, 5); ORDER(2, 6); ORDER(3, 7);
	ORDER(0, 1); ORDER(2, 3); ORDER(4, 5); ORDER(6, 7);
	ORDER(2, 4); ORDER(3, 5);
	ORDER(1, 4); ORDER(3, 6);
	ORDER(1, 2); ORDER(3, 4); ORDER(5, 6);
	a[0] = x0;
	a[1] = x1;
	a[2] = x2;
	a[3] = x3;
	a[4] = x4;
	a[5] = x5;
	a[6] = x6;
	a[7] = x7;
}
