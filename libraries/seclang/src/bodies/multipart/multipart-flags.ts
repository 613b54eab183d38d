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
  /** Whether the boundary stands where it is none: in the middle of a line, or behind the last one. Not part of {@link isStrictError}. */
  boundaryInData: boolean
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
    boundaryInData: false,
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

/**
 * What in a body other readers could understand otherwise, of what is not refused at once; a sentence each. A quoted boundary, and text
 * before and behind the parts, are as the standard has them (RFC 2046, section 5.1.1).
 */
export function faultsOfParts(flags: MultipartFlags): string[] {
  const faults: readonly (readonly [boolean, string])[] = [
    [flags.boundaryWhitespace, 'There is a blank at the boundary of its content type.'],
    [flags.headerFolding, 'A header of a part goes over several lines.'],
    [flags.lfLine, 'Lines of it end without a carriage return.'],
    [flags.missingSemicolon, 'There is no semicolon before the boundary of its content type.'],
    [flags.invalidQuoting, 'A header of a part has quotes that are none.'],
    [flags.invalidPart, 'A part has no end of its headers.'],
    [flags.fileLimitExceeded, 'It has more files than allowed.'],
  ]
  return faults.filter(([isSo]) => isSo).map(([, sentence]) => sentence)
}
