import { asText } from './as-text.ts'
import { inCodings } from './in-codings.ts'
import { inFiles } from './in-files.ts'
import { inForms } from './in-forms.ts'
import { inJson } from './in-json.ts'
import { inLayers } from './in-layers.ts'
import { inMixed } from './in-mixed.ts'
import { inMultipart } from './in-multipart.ts'
import { inUrl } from './in-url.ts'
import { inXml } from './in-xml.ts'
import type { RequestVariant } from './request-variant.ts'

/** Every way, each with another name. */
export const requestVariants: readonly RequestVariant[] = [
  ...inUrl,
  ...inForms,
  ...inJson,
  ...inXml,
  ...inMultipart,
  ...inMixed,
  ...asText,
  ...inCodings,
  ...inFiles,
  ...inLayers,
]
