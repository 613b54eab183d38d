import type { SnapshotCommentSpam, SnapshotFormSpam } from '@palisade/proxy-protocol'
import { isNotOff, isOn, isPassive, number, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { factorySpamPatterns } from '../referer-spam/compile.ts'
import { service } from '../services/service.ts'
import { websiteProfileReader } from '../website-profiles/compile.ts'
import { urlProfile } from '../website-profiles/url-profile.ts'
import { formSpamForm } from './form-spam-form.ts'

/** Whether programs are kept from filling in forms; undefined where they are not. */
export const formSpamReader = whenOn(
  sectionReader(service, 'form-spam', {
    isOn: ['status', isOn],
    /** Whether forms get a field that people do not see. */
    hasHoneypot: ['honeypot-status', isOn],
    /** Whether all forms of pages count, listed or not. */
    coversAll: ['autoconfigure-status', isOn],
  }),
)

/** A form that is protected; undefined where that is switched off. */
export const formSpamFormReader = whenOn(
  fieldReader(formSpamForm, {
    isOn: ['status', isNotOff],
    /** Where it is sent: a path in which `*` stands for any characters. */
    url: ['action-url', pathIn],
    /** Who sends it sooner is taken for a program. */
    fillSeconds: ['minimum-form-fill-time', number],
    isPassive: ['mode', isPassive],
  }),
)

/** The parameters in which links and words of advertisers are searched for. */
export const commentSpamReader = sectionReader(service, 'comment-spam', {
  parameters: ['parameter', texts],
  exceptions: ['exception-patterns', texts],
})

/** How a service keeps programs from filling in its forms; undefined where it does not. */
export function compileFormSpam(object: ConfigurationObject): SnapshotFormSpam | undefined {
  const read = formSpamReader.of(object)
  if (read === undefined) return undefined
  const forms = childrenOf(object, formSpamForm.name).flatMap((form) => {
    const settings = formSpamFormReader.of(form)
    return settings === undefined ? [] : { name: form.name, ...settings }
  })
  return { ...read, forms }
}

/** What the comments to a service are searched for; undefined where they are not. */
export function compileCommentSpam(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotCommentSpam | undefined {
  const { parameters, exceptions } = commentSpamReader.of(object)
  if (parameters.length === 0) return undefined
  const patterns = factorySpamPatterns(object, snapshot).filter(({ name }) => !exceptions.includes(name))
  return { parameters, patterns }
}

/** Why a service that asks for it does not keep programs from its forms: sentences. */
export function formSpamWithoutEffect(object: ConfigurationObject): string[] {
  const spam = compileFormSpam(object)
  const listed = childrenOf(object, formSpamForm.name)
  if (spam === undefined) {
    return listed.length === 0
      ? []
      : ['Programs are not kept from the forms of form-spam-forms: form-spam status is Off.']
  }
  const hasProfiles =
    websiteProfileReader.of(object) !== undefined && childrenOf(object, urlProfile.name).length > 0
  return spam.coversAll || spam.forms.length > 0 || hasProfiles
    ? []
    : ['Programs are kept from no form: form-spam-forms has none, and form-spam autoconfigure-status is No.']
}

/** Forms may be given by their whole address. */
function pathIn(value: Parameters<typeof text>[0]): string {
  return text(value).replace(/^https?:\/\/[^/?#]*/i, '')
}

/** Whether and which forms are protected from programs. */
export type SnapshotFormSpamSettings = Settings<typeof formSpamReader>

/** A form that is protected from programs. */
export type SnapshotFormSpamForm = Settings<typeof formSpamFormReader>
