import type { DiskPlan } from '../disk/disk-plan.ts'
import type { DiskRequest } from '../disk/disk-request.ts'
import { placesOf } from '../disk/place.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { structuresOf } from '../plan/structures.ts'

/** A small disk's whole file in memory, with the same content in front of the guest. */
export function plannedFile(
  request: Omit<DiskRequest, 'data'>,
  content: Buffer,
): { readonly plan: DiskPlan; readonly file: Buffer } {
  const data = dataExtents(content)
  const plan = planDisk({ ...request, data })
  const file = Buffer.alloc(plan.fileSizeBytes)
  for (const { offsetBytes, bytes } of structuresOf(plan)) file.set(bytes, offsetBytes)
  for (const place of placesOf(plan, { offsetBytes: 0, sizeBytes: content.byteLength })) {
    if (place.fileOffsetBytes === undefined) continue
    file.set(content.subarray(place.offsetBytes, place.offsetBytes + place.sizeBytes), place.fileOffsetBytes)
  }
  return { plan, file }
}

/** The sectors that are not zero. */
function dataExtents(content: Buffer): { offsetBytes: number; sizeBytes: number }[] {
  const zero = Buffer.alloc(512)
  const extents: { offsetBytes: number; sizeBytes: number }[] = []
  for (let offsetBytes = 0; offsetBytes < content.byteLength; offsetBytes += 512) {
    if (!content.subarray(offsetBytes, offsetBytes + 512).equals(zero))
      extents.push({ offsetBytes, sizeBytes: 512 })
  }
  return extents
}
