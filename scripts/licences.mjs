// What the licences of packages ask of whoever passes these packages on: their texts, beside the packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './set-up.mjs'

/** Licences that ask for their texts and notices alone. */
const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
]

/**
 * The names, versions and licences of packages, and the texts of these licences. A package under another licence than the permissive
 * ones ends this process.
 *
 * @param {readonly string[]} folders of the packages, from the root of the repository
 * @returns {string}
 */
export function licencesOf(folders) {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    if (!permissive.includes(license)) fail(`${folder}: the licence ${license} is not one that we pass on`)
    const texts = licenceTexts(join(root, folder))
    // Some packages only name their licence.
    if (texts.length === 0)
      texts.push(`The package has no text of it: https://spdx.org/licenses/${license}.html`)
    return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') }
  })
  sections.sort((one, other) => (one.title < other.title ? -1 : 1))
  const rule = '-'.repeat(80)
  return sections.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text}\n`).join('\n')
}

/** @returns {string[]} of the files of a package that are for them, or else of the last section of its README */
function licenceTexts(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8').trim()
  const files = readdirSync(folder)
  const texts = files.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).map(read)
  if (texts.length > 0) return texts
  return files
    .filter((file) => /^readme/i.test(file))
    .flatMap((file) => /\n#+ *licen[cs]e\s([\s\S]*)$/i.exec(read(file))?.[1]?.trim() ?? [])
}
