import { isNotOff, texts } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** The second stage of a policy; undefined where it is switched off. */
export const secondStageReader = whenOn(
  sectionReader(securityPolicy, 'second-stage', {
    isOn: ['status', isNotOff],
    /** Names of parameters for which the rules alone decide; `*` stands for any characters. */
    excludedParameters: ['excluded-parameters', texts],
  }),
)

/** Which values the second stage does not analyse. */
export type SnapshotSecondStage = Settings<typeof secondStageReader>
