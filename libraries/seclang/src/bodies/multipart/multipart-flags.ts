/** What is unusual about a multipart body; each is a variable of its own (MULTIPART_DATA_BEFORE …). */
export interface MultipartFlags {
  error: boolean
  boundaryQuoted: boolean
  boundaryWhitespace: boolean
  dataBefore: boolean
  dataAfter: boolean
  headerFolding: boolean
  lfLine: boolean
  crlfLine: boolean
  missingSemicolon: boolean
  invalidQuoting: boolean
  invalidPart: boolean
  invalidHeaderFolding: boolean
  fileLimitExceeded: boolean
  /** Not part of {@link isStrictError}. */
  unmatchedBoundary: boolean
}

/** The flags of a body about which nothing is known yet. */
export function noMultipartFlags(): MultipartFlags {
  return {
    error: false,
    boundaryQuoted: false,
    boundaryWhitespace: false,
    dataBefore: false,
    dataAfter: false,
    headerFolding: false,
    lfLine: false,
    crlfLine: false,
    missingSemicolon: false,
    invalidQuoting: false,
    invalidPart: false,
    invalidHeaderFolding: false,
    fileLimitExceeded: false,
    unmatchedBoundary: false,
  }
}

/** MULTIPART_STRICT_ERROR: another parser might see other parts than we do. */
export function isStrictError(flags: MultipartFlags): boolean {
  return (
    flags.error ||
    flags.boundaryQuoted ||
    flags.boundaryWhitespace ||
    flags.dataBefore ||
    flags.dataAfter ||
    flags.headerFolding ||
    flags.lfLine ||
    flags.missingSemicolon ||
    flags.invalidQuoting ||
    flags.invalidPart ||
    flags.invalidHeaderFolding ||
    flags.fileLimitExceeded
  )
}
