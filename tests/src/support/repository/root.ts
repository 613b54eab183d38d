import { dirname } from 'node:path'

/** The repository. */
export const root = dirname(dirname(dirname(dirname(import.meta.dirname))))
