import type { FastifyRequest } from 'fastify'
import { naming } from '../../behaviours/certificates/unacceptable.ts'
import { type MultipartPart, readMultipart } from '../../certificates/index.ts'
import { bodyOf } from '../../rest/write.ts'

/**
 * The members of an upload: those of a form, or those of a JSON object, whose members hold what the files would.
 *
 * @throws RequestRefused or ConfigurationRefused not-acceptable when the body is neither
 */
export async function uploadedMembers(
  request: FastifyRequest,
): Promise<Iterable<readonly [name: string, value: unknown]>> {
  const { body, headers } = request
  if (!Buffer.isBuffer(body)) return Object.entries(bodyOf(request))
  const parts = await naming('upload', () => readMultipart(body, headers['content-type'] ?? ''))
  return parts.map((part) => [part.name, textOf(part)])
}

/** Fields of scripts have blanks and line ends around them. Files that are no PEM go on as base64. */
function textOf({ filename, content }: MultipartPart): string {
  const text = content.toString('utf8')
  if (filename === undefined || text.includes('-----BEGIN')) return text.trim()
  return content.toString('base64')
}
