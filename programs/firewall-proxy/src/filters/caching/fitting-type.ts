const font = /^(?:font\/|application\/(?:x-)?font|application\/vnd\.ms-(?:fontobject|opentype))/
const script = /^(?:text|application)\/(?:x-)?(?:java|ecma)script/
const image = /^image\//
const film = /^(?:audio|video)\//

/** What files of these extensions are served as, where it is no page; others may be anything. */
const typesByExtension: ReadonlyMap<string, RegExp> = new Map([
  ...['avif', 'bmp', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'svgz', 'tif', 'tiff', 'webp'].map(
    (extension) => [extension, image] as const,
  ),
  ...['eot', 'otf', 'ttf', 'woff', 'woff2'].map((extension) => [extension, font] as const),
  ...[
    'aac',
    'avi',
    'flac',
    'm4a',
    'm4v',
    'mov',
    'mp3',
    'mp4',
    'mpeg',
    'oga',
    'ogg',
    'ogv',
    'wav',
    'webm',
  ].map((extension) => [extension, film] as const),
  ...['js', 'mjs', 'cjs'].map((extension) => [extension, script] as const),
  ['css', /^text\/css/],
  ['txt', /^text\/plain/],
  ['pdf', /^application\/pdf/],
])

/** A file of which a server knows no more. */
const unspecific = /^(?:application|binary)\/octet-stream/

/**
 * Whether an answer is what the extension of its address promises. A page under the name of a style sheet is one that the application has
 * found by the rest of the path, and may be for one client alone.
 *
 * @param extension in lower case, without the dot @param contentType absent where the server says none
 */
export function fitsExtension(extension: string, contentType: string | undefined): boolean {
  const expected = typesByExtension.get(extension)
  if (expected === undefined) return true
  const type = contentType?.trim().toLowerCase() ?? ''
  return expected.test(type) || unspecific.test(type)
}
