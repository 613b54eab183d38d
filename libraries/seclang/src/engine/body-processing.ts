import { parseEveryBody } from '../bodies/every-body.ts'
import { parseJsonBody } from '../bodies/json.ts'
import { parseMultipartBody } from '../bodies/multipart/multipart.ts'
import type { ParsedBody } from '../bodies/parsed-body.ts'
import { parseUrlEncodedBody } from '../bodies/urlencoded.ts'
import { parseXmlBody } from '../bodies/xml.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { headerValues } from '../request/header-list.ts'

/** The body processor that the content type asks for by itself; JSON and XML need a rule (`ctl:requestBodyProcessor`). */
export function processorFor(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) return 'URLENCODED'
  return /^multipart\/form-data/i.test(contentType) ? 'MULTIPART' : ''
}

/** Parses a request body with the processor that was chosen for the transaction. */
export function parseBody(text: string, inspection: Inspection): ParsedBody {
  const { settings } = inspection
  if (settings.readsEveryBody) return parseAny(text, inspection)
  switch (inspection.bodyProcessor) {
    case 'URLENCODED':
      return parseUrlEncodedBody(text, settings.argumentSeparator)
    case 'MULTIPART':
      return parseMultipartBody(text, inspection.requestHeader('content-type'), {
        filesMax: settings.filesMax,
        withoutFilesMax: settings.requestBodyNoFilesLimitBytes,
      })
    case 'JSON':
      return parseJsonBody(text, { depthMax: settings.jsonDepthMax, argumentsMax: inspection.argumentsMax })
    case 'XML':
      return parseXmlBody(text)
    default:
      return {}
  }
}

function parseAny(text: string, { settings, request, bodyProcessor, argumentsMax }: Inspection): ParsedBody {
  return parseEveryBody(text, {
    contentTypes: headerValues(request.headers, 'content-type'),
    processor: bodyProcessor,
    limits: {
      depthMax: settings.jsonDepthMax,
      argumentsMax,
      filesMax: settings.filesMax,
      textMax: settings.requestBodyNoFilesLimitBytes,
      argumentSeparator: settings.argumentSeparator,
    },
  })
}
