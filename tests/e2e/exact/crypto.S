/* SPDX-License-Identifier: MIT */
/* crypto: the instructions of the cryptographic extension, in an order in which none fuse.
 * Expect: INST_RETIRED 1203  200 x 6 + 3
 * Expect: INST_SPEC 1203
 * Expect: CRYPTO_SPEC 1000  all but pmull, which the event leaves out */
#include "begin.inc"
	.rept	200
	aesmc	v1.16b, v2.16b
	aese	v3.16b, v4.16b
	sha1h	s5, s6
	sha256su0 v7.4s, v8.4s
	sha256h	q9, q10, v11.4s
	pmull	v12.1q, v13.1d, v14.1d
	.endr
	exit
