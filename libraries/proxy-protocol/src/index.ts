/** A snapshot of what proxies have to do. */
export {}
