/** The proxy. */
export {}
