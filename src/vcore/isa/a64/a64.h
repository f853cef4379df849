/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64.h - A64 classifier: encoding -> struct pms_insn, by tables of mask and match.
 * Source: Arm Architecture Reference Manual (DDI 0487), chapter C4 "A64 instruction set encoding".
 */
#ifndef PMS_VCORE_ISA_A64_H
#define PMS_VCORE_ISA_A64_H

#include "vcore/isa/insn.h"

/**
 * Classify one instruction.
 * @word: the 32-bit encoding
 * @out:  always written; an encoding that is not allocated gives PMS_OP_UNDEF
 */
void pms_a64_classify(uint32_t word, struct pms_insn *out);

#endif
