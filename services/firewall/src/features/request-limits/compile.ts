import { isOn, numberOr } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

const limit = numberOr(Number.MAX_SAFE_INTEGER)

export const requestLimitReader = whenOn(
  sectionReader(securityPolicy, 'request-limits', {
    isOn: ['enable', isOn],
    headBytes: ['max-request-length', limit],
    requestLineBytes: ['max-request-line-length', limit],
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
