export { CertificateAuthority, type IssuedCertificate } from './certificate-authority.ts'
export {
  endOfHeaders,
  endOfStream,
  frameTypes,
  http2Frame,
  http2Greeting,
  http2HeadersOf,
} from './http2-frames.ts'
export { type RadiusServer, startRadiusServer } from './radius-server.ts'
export type { RequestVariant } from './request-variants/request-variant.ts'
export { requestVariants } from './request-variants/request-variants.ts'
export { requestOf, sendRequest } from './request-variants/send-variant.ts'
export { solvedChallenge } from './solved-challenge.ts'
