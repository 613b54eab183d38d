import { isStrictError, type MultipartFlags } from '../bodies/multipart/multipart-flags.ts'
import type { UploadedFile } from '../bodies/parsed-body.ts'
import { Content } from '../content/content.ts'
import { keyedTarget, plainTarget, type Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { readingsOf } from '../readings/readings.ts'
import { requestLine } from './request-variables.ts'
import { collection, flag, scalar, type Variable } from './variable.ts'

/** The request's body, and what its processor found in it. */
export const bodyVariables: readonly Variable[] = [
  scalar('REQUEST_BODY', 'phase', readableBody),
  scalar('REQUEST_BODY_LENGTH', 'phase', ({ requestBody }) => requestBody?.length ?? 0),
  scalar('FULL_REQUEST', 'phase', fullRequest),
  scalar('FULL_REQUEST_LENGTH', 'phase', (inspection) => fullRequest(inspection).length),
  flag('INBOUND_DATA_ERROR', 'volatile', ({ hasInboundDataError }) => hasInboundDataError),
  scalar('REQBODY_PROCESSOR', 'volatile', ({ bodyProcessor }) => bodyProcessor),
  flag('REQBODY_ERROR', 'volatile', hasBodyError),
  scalar('REQBODY_ERROR_MSG', 'volatile', ({ body }) => body.error ?? ''),
  flag('REQBODY_PROCESSOR_ERROR', 'volatile', hasBodyError),
  scalar('REQBODY_PROCESSOR_ERROR_MSG', 'volatile', ({ body }) => body.error ?? ''),
  flag(
    'URLENCODED_ERROR',
    'phase',
    ({ body, queryString }) => body.hasInvalidEscapes || queryString.hasInvalidEscapes,
  ),

  ofFiles('FILES', ({ fileName }) => fileName),
  ofFiles('FILES_NAMES', ({ field }) => field),
  ofFiles('FILES_SIZES', ({ content }) => String(content.length)),
  ofFiles('FILES_TMP_CONTENT', ({ content }) => content),
  scalar('FILES_COMBINED_SIZE', 'phase', ({ body }) =>
    (body.files ?? []).reduce((size, { content }) => size + content.length, 0),
  ),
  collection('MULTIPART_PART_HEADERS', 'phase', ({ body }) =>
    (body.partHeaders ?? []).map(({ field, line }) =>
      keyedTarget('MULTIPART_PART_HEADERS', field, new Content(line)),
    ),
  ),
  ofFiles('MULTIPART_FILENAME', ({ fileName }) => fileName),
  ofFiles('MULTIPART_NAME', ({ field }) => field),

  ofMultipart('MULTIPART_STRICT_ERROR', isStrictError),
  ofMultipart('MULTIPART_UNMATCHED_BOUNDARY', ({ unmatchedBoundary }) => unmatchedBoundary),
  ofMultipart('MULTIPART_BOUNDARY_QUOTED', ({ boundaryQuoted }) => boundaryQuoted),
  ofMultipart('MULTIPART_BOUNDARY_WHITESPACE', ({ boundaryWhitespace }) => boundaryWhitespace),
  ofMultipart('MULTIPART_DATA_BEFORE', ({ dataBefore }) => dataBefore),
  ofMultipart('MULTIPART_DATA_AFTER', ({ dataAfter }) => dataAfter),
  ofMultipart('MULTIPART_HEADER_FOLDING', ({ headerFolding }) => headerFolding),
  ofMultipart('MULTIPART_LF_LINE', ({ lfLine }) => lfLine),
  ofMultipart('MULTIPART_CRLF_LF_LINES', ({ crlfLine, lfLine }) => crlfLine && lfLine),
  ofMultipart('MULTIPART_MISSING_SEMICOLON', ({ missingSemicolon }) => missingSemicolon),
  ofMultipart('MULTIPART_SEMICOLON_MISSING', ({ missingSemicolon }) => missingSemicolon),
  ofMultipart('MULTIPART_INVALID_QUOTING', ({ invalidQuoting }) => invalidQuoting),
  ofMultipart('MULTIPART_INVALID_PART', ({ invalidPart }) => invalidPart),
  ofMultipart('MULTIPART_INVALID_HEADER_FOLDING', ({ invalidHeaderFolding }) => invalidHeaderFolding),
  ofMultipart('MULTIPART_FILE_LIMIT_EXCEEDED', ({ fileLimitExceeded }) => fileLimitExceeded),

  { ...collection('XML', 'phase', xmlTargets), keys: ['/*', '//@*'] },
]

/** As text, unless a processor took the body apart in another way and no rule forces it. */
function readableBody({ requestBody, body, forcesRequestBodyVariable }: Inspection): string | undefined {
  if (body.isHidden) return undefined
  return body.isText || forcesRequestBodyVariable ? requestBody : undefined
}

function hasBodyError({ body, hasTooManyArguments }: Inspection): boolean {
  return body.error !== undefined || hasTooManyArguments
}

function fullRequest(inspection: Inspection): string {
  const headers = inspection.requestHeaders.map(({ name, value }) => `${name.text}: ${value.text}\n`).join('')
  return `${requestLine(inspection)}\n${headers}\n${inspection.requestBody ?? ''}`
}

function ofFiles(name: string, read: (file: UploadedFile) => string): Variable {
  return collection(name, 'phase', ({ body }) =>
    (body.files ?? []).map((file) => keyedTarget(name, file.field, new Content(read(file)))),
  )
}

function ofMultipart(name: string, read: (flags: MultipartFlags) => boolean): Variable {
  return flag(name, 'phase', ({ body }) => body.multipart !== undefined && read(body.multipart))
}

function xmlTargets({ body, settings }: Inspection): readonly Target[] {
  const { xml } = body
  if (xml === undefined) return []
  const targets = [xmlTarget('/*', xml.text), ...xml.attributes.map((value) => xmlTarget('//@*', value))]
  const pieces = settings.readsEncodedValues ? (xml.pieces ?? []) : []
  const readings = pieces
    .flatMap(readingsOf)
    .map((one) => ({ ...xmlTarget('/*', one), isReading: true }) as const)
  return readings.length === 0 ? targets : [...targets, ...readings]
}

/** The path is no part of the name, as in ModSecurity. */
function xmlTarget(path: string, text: string): Target {
  return { ...plainTarget('XML', new Content(text)), key: path }
}
