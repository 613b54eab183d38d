import type { Inspection } from '../inspection/inspection.ts'
import { flag, namesOf, scalar, type Variable, valuesOf } from './variable.ts'

/** The response. */
export const responseVariables: readonly Variable[] = [
  scalar('RESPONSE_STATUS', 'phase', ({ response }) => response.status || undefined),
  scalar('RESPONSE_PROTOCOL', 'phase', ({ response }) => response.protocol || undefined),
  scalar('STATUS_LINE', 'phase', ({ response }) => `${response.protocol} ${response.status}`),
  scalar('RESPONSE_CONTENT_TYPE', 'phase', (inspection) => inspection.responseHeader('content-type')),
  scalar('RESPONSE_CONTENT_LENGTH', 'phase', responseLength),
  scalar('RESPONSE_BODY', 'phase', ({ responseBody }) => responseBody),
  flag('OUTBOUND_DATA_ERROR', 'volatile', ({ hasOutboundDataError }) => hasOutboundDataError),
  valuesOf('RESPONSE_HEADERS', 'phase', ({ responseHeaders }) => responseHeaders),
  namesOf('RESPONSE_HEADERS_NAMES', 'phase', ({ responseHeaders }) => responseHeaders),
]

function responseLength(inspection: Inspection): string | number | undefined {
  return inspection.responseBodyLength ?? inspection.responseHeader('content-length')
}
