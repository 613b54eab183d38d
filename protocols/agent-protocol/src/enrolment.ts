import { type Static, Type } from 'typebox'

/**
 * Recognises the key with which a computer seals its chunks end to end, and says nothing about it: 32 hexadecimal digits
 * (docs/formats/vault.md, "Sealed end to end").
 */
export const KeyCheck = Type.String({ pattern: '^[0-9a-f]{32}$' })
export type KeyCheck = Static<typeof KeyCheck>

/**
 * `POST {base_url}/agent/v1/enrol`. A new enrolment ends the credential of the one before. What a newer agent adds is passed
 * over.
 */
export const EnrolmentRequest = Type.Object({
  account: Type.String(),
  computer: Type.String(),
  enrolmentKey: Type.String(),
  agentVersion: Type.String(),
  hostName: Type.String(),
  platform: Type.String(),
})
export type EnrolmentRequest = Static<typeof EnrolmentRequest>

/** The reply to an enrolment: the agent's own credential, shown this once. */
export const EnrolmentReply = Type.Object({
  /** Sent as `Authorization: Bearer …` with every later request and with the link. */
  credential: Type.String(),
  computerName: Type.String(),
})
export type EnrolmentReply = Static<typeof EnrolmentReply>

/** `GET {base_url}/agent/v1/keys`: what the computer seals its chunks with. Keys have 32 bytes, in base64. */
export const ChunkKeysReply = Type.Object({
  naming: Type.String(),
  sealing: Type.String(),
  /** Marks chunks that are sealed with the computer's own key in the place of the two above. */
  marking: Type.String(),
  /** The key that the computer's backups are sealed with end to end, as far as the server knows; else null. */
  endToEndKeyCheck: Type.Union([KeyCheck, Type.Null()]),
  chunkSizeBytes: Type.Integer({ minimum: 4096 }),
  /** How many chunks of a revision may be patched; a server of before patches does not say, and takes none. */
  patchedChunksMax: Type.Integer({ minimum: 0 }),
})
export type ChunkKeysReply = Static<typeof ChunkKeysReply>
