/* SPDX-License-Identifier: MIT */
/* catalog/product.h - server processors by name: "graviton3" is made of Neoverse V1 cores.
 * Source: products.json of the core's folder, which gives each product's own source. */
#ifndef PMS_CATALOG_PRODUCT_H
#define PMS_CATALOG_PRODUCT_H

#include <stddef.h>

#include "base/name.h"
#include "pmuscope/error.h"

struct pms_product {
	char cpu[64];	   /* the folder of its core */
	char product[128]; /* its name as people write it */
};

/**
 * Look up a product's name, in any case, in the products.json of every core of a data directory.
 * Returns 1 when there is one, and 0 otherwise.
 * Errors: -PMS_EIO, -PMS_EPARSE a file cannot be read, or is not as it should be; -PMS_ENOMEM.
 */
int pms_product_find(const char *data, const char *name, struct pms_product *out,
		     struct pms_error *err);

/** Copy the product's name most like @name to @best, of @size bytes; "" when none is similar. */
void pms_product_nearest(const char *data, const char *name, char *best, size_t size);

/** Append the names of the products that are made of a core: "graviton3, graviton3e". Errors: as
 * pms_product_find. */
int pms_products_of(const char *data, const char *cpu, char *list, size_t size,
		    struct pms_error *err);

#endif
