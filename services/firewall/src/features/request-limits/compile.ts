import { isOn, numberOr } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

const limit = numberOr(Number.MAX_SAFE_INTEGER)

/** The limits of a policy; undefined where they are off. A limit without a value is none. */
export const requestLimitReader = whenOn(
  sectionReader(securityPolicy, 'request-limits', {
    isOn: ['enable', isOn],
    /** The request line and all headers together. */
    headBytes: ['max-request-length', limit],
    requestLineBytes: ['max-request-line-length', limit],
    /** Without the query. */
    urlBytes: ['max-url-length', limit],
    queryBytes: ['max-query-length', limit],
    headers: ['max-number-of-headers', limit],
    headerNameBytes: ['max-header-name-length', limit],
    headerValueBytes: ['max-header-value-length', limit],
    cookies: ['max-number-of-cookies', limit],
    cookieNameBytes: ['max-cookie-name-length', limit],
    cookieValueBytes: ['max-cookie-value-length', limit],
  }),
)

/** The most that the head of a request may have; sizes in bytes. */
export type SnapshotRequestLimits = Settings<typeof requestLimitReader>
