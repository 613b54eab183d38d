import { VaultFailure } from '../../failure.ts'

/** The status of a reply that is a failure, or undefined when there was no reply. */
export function statusOf(error: unknown): number | undefined {
  const metadata = member(error, '$metadata')
  const status = member(metadata, 'httpStatusCode')
  return typeof status === 'number' ? status : undefined
}

/** Whether a request failed as such, and not while its reply was being read. */
export function isOfARequest(error: unknown): boolean {
  return member(error, '$metadata') !== undefined
}

/** Whether the server says that it does not offer an operation at all. */
export function isNotOffered(error: unknown): boolean {
  const status = statusOf(error)
  return status === 405 || status === 501
}

/**
 * A failure of the storage as the vault reports it. Of the client's error only code and status are taken over: its members
 * can hold the access key, what was signed, and addresses with signatures in them. `doing` says what was attempted.
 */
export function storageFailure(doing: string, error: unknown): VaultFailure {
  if (error instanceof VaultFailure) return error
  const status = statusOf(error)
  const reply = status === undefined ? '' : `, status ${status}`
  const code = codeOf(error)
  const cause = new Error(`${code}${reply}${requestIdOf(error)}`)
  return new VaultFailure('storage', `${doing}: ${cause.message}`, { cause, advice: adviceOn(code) })
}

const advices: readonly (readonly [codes: RegExp, advice: string])[] = [
  [
    /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|InvalidClientTokenId|UnrecognizedClientException|ExpiredToken|InvalidToken|TokenRefreshRequired|CredentialsProviderError)$/,
    'the storage does not accept the credentials of this server',
  ],
  [
    /^(?:AccessDenied|AllAccessDisabled|Forbidden)$/,
    'the storage does not permit this to the credentials of this server, which must be allowed to list, read, write and delete below the prefix',
  ],
  [
    /^(?:RequestTimeTooSkewed|RequestExpired)$/,
    'the clocks of this machine and of the storage differ too much',
  ],
  [
    /^(?:PermanentRedirect|TemporaryRedirect|MovedPermanently|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'the bucket is at another endpoint or in another region',
  ],
  [/^NoSuchBucket$/, 'the storage has no such bucket'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'the name of the endpoint is not resolved'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate of the storage has expired'],
  [
    /^CERT_NOT_YET_VALID$/,
    'the certificate of the storage is not valid yet, or the clock of this machine is behind',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate of the storage is for another name'],
  [
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/,
    'the certificate of the storage is of an authority that is not trusted: caFile can name it',
  ],
]

/** What a code of the storage, of TLS or of the system says is wrong. */
function adviceOn(code: string): string | undefined {
  return advices.find(([codes]) => codes.test(code))?.[1]
}

/** A name such as `AccessDenied`, `NoSuchBucket`, `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const candidates = [member(error, 'code'), member(error, 'name')]
  const code = candidates.find(
    (text): text is string => typeof text === 'string' && /^[A-Za-z0-9_.]{1,64}$/.test(text),
  )
  return code ?? 'unknown failure'
}

/** What the operator of the server asks for. */
function requestIdOf(error: unknown): string {
  const id = member(member(error, '$metadata'), 'requestId')
  return typeof id === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(id) ? `, request ${id}` : ''
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
