/**
 * The largest body with which somebody logs in, in bytes. Anybody may send one, and while others have their turns
 * with hashing it waits in memory.
 */
export const credentialsSizeMax = 16 * 1024
