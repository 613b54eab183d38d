/** A rule set that was read from files and compiled. */
export {}
