import { computerTexts } from './texts/computers.ts'
import { restoreTexts } from './texts/restores.ts'
import { revisionTexts } from './texts/revisions.ts'
import { setTexts } from './texts/sets.ts'

/** The texts of backups: of computers, revisions, sets and restores. */
export const texts = { ...computerTexts, ...revisionTexts, ...setTexts, ...restoreTexts } as const
