import type { Needs } from '#api/areas/services'

type Owned = { readonly suspended: boolean; readonly whitelabel_id: string }

/** Whether the account or its white-label is suspended. */
export const isSuspended = ({ whiteLabels }: Needs<'whiteLabels'>, { suspended, whitelabel_id: id }: Owned): boolean =>
  suspended || whiteLabels.find(id)?.suspended === true

/** The same for an account of which only these are known. */
export async function isSuspendedSpace(
  kit: Needs<'accounts' | 'whiteLabels'>,
  { space_id, whitelabel_id }: { readonly space_id: string; readonly whitelabel_id: string },
): Promise<boolean> {
  return isSuspended(kit, (await kit.accounts.find(space_id)) ?? { suspended: false, whitelabel_id })
}
