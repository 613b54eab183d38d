import type { DiskPlan } from '../disk/disk-plan.ts'
import type { DiskRequest } from '../disk/disk-request.ts'
import { planVhd } from '../vhd/plan.ts'
import { planVhdx } from '../vhdx/plan.ts'

/**
 * Decides where everything of a disk goes. Throws `disk-too-large` beyond the format's limit and
 * `invalid-argument` for what the format does not have.
 */
export function planDisk(request: DiskRequest): DiskPlan {
  return request.format === 'vhd' ? planVhd(request) : planVhdx(request)
}
