export { CertificateUnreadable } from './certificate-unreadable.ts'
export { orderIntermediates } from './chain.ts'
export type { KeyType } from './key-type.ts'
export { type MultipartLimits, type MultipartPart, multipartLimits, readMultipart } from './multipart.ts'
export { keyMatchesCertificate, readPrivateKey } from './private-key.ts'
export { type PublicKeyDescription, readPublicKeys } from './public-keys.ts'
export { type CertificateDescription, readCertificate, readCertificates } from './read-certificate.ts'
export { type Pkcs12Content, readPkcs12 } from './read-pkcs12.ts'
export {
  type CertificateWithKey,
  makeSelfSigned,
  type NewKey,
  type SelfSignedRequest,
} from './self-signed.ts'
export { makeSigningRequest } from './signing-request.ts'
export { readUploadedText } from './uploaded-text.ts'
export { type Pkcs12Parts, writePkcs12 } from './write-pkcs12.ts'
