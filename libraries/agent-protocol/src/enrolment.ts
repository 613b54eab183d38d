import { type Static, Type } from 'typebox'

/** `POST {base_url}/agent/v1/enrol`. A new enrolment ends the credential of the one before. */
export const EnrolmentRequest = Type.Object(
  {
    account: Type.String(),
    computer: Type.String(),
    enrolmentKey: Type.String(),
    agentVersion: Type.String(),
    hostName: Type.String(),
    platform: Type.String(),
  },
  { additionalProperties: false },
)
export type EnrolmentRequest = Static<typeof EnrolmentRequest>

export const EnrolmentReply = Type.Object({
  /** Sent as `Authorization: Bearer …` with every later request and with the link. */
  credential: Type.String(),
  computerName: Type.String(),
})
export type EnrolmentReply = Static<typeof EnrolmentReply>

/** `GET {base_url}/agent/v1/keys`: what the computer seals its chunks with. 32 bytes each, base64. */
export const ChunkKeysReply = Type.Object({
  naming: Type.String(),
  sealing: Type.String(),
  chunkSizeBytes: Type.Integer({ minimum: 4096 }),
})
export type ChunkKeysReply = Static<typeof ChunkKeysReply>
