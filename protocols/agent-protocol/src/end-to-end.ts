import { type Static, Type } from 'typebox'

/**
 * Recognises the key with which a computer seals its chunks end to end, and says nothing about it: 32 hexadecimal digits
 * (docs/formats/vault.md, "Sealed end to end").
 */
export const KeyCheck = Type.String({ pattern: '^[0-9a-f]{32}$' })
export type KeyCheck = Static<typeof KeyCheck>
