import { useEffect, useMemo, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { CampaignType } from '#domain/campaign/content/options'
import type { Campaign } from '#contract/campaign-body'
import { isSame } from './creatives/wire-values.ts'
import { toForm } from './form-mapping.ts'
import type { CampaignFormValues } from './form-schema.ts'
import { takeCarried } from './concurrent-edits.ts'

type Basis = {
  readonly version: Campaign | CampaignType
  /** Existing edits of it; null for the version as stored. */
  readonly values: CampaignFormValues | null
}

/**
 * The version that the form values are based on; a save sends its revision. A newer version from the background replaces it only
 * while nothing is typed, or a save would silently undo another user's changes. Exception: both versions look the same in the
 * form, as after a file upload or a note. Then nothing can be undone, and the typed values stay.
 */
export function useFormBasis(form: UseFormReturn<CampaignFormValues>, newest: Campaign | CampaignType) {
  const [basis, setBasis] = useState<Basis>({ version: newest, values: null })
  // Restore what was typed on the previous page while this campaign was being created.
  useEffect(() => {
    const typed = typeof newest === 'string' ? null : takeCarried(newest.id)
    if (typed !== null) form.reset(typed, { keepDefaultValues: true })
    // Only on mount.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const { version } = basis
  const newer = typeof newest !== 'string' && typeof version !== 'string' && newest.revision > version.revision
  const looksSame = useMemo(() => newer && showSame(version, newest), [newer, version, newest])
  const takeNewest = () => setBasis({ version: newest, values: null })
  if (looksSame) takeNewest()
  /** The basis the form last showed. Showing it again would abort a save in progress. */
  const shown = useRef(basis)
  useEffect(() => {
    const before = shown.current
    if (before === basis) return
    shown.current = basis
    if (!showSame(before.version, basis.version)) show(form, basis)
  }, [form, basis])
  /** Continues from a version immediately, because a save may follow. */
  const goOnFrom = (next: Campaign, values: CampaignFormValues | null = null) => {
    shown.current = { version: next, values }
    show(form, shown.current)
    setBasis(shown.current)
  }
  return {
    basis: version,
    goOnFrom,
    /** Null while no newer version is waiting. */
    takeNewer: newer ? takeNewest : null,
  }
}

const showSame = (one: Basis['version'], other: Basis['version']) =>
  typeof one !== 'string' && typeof other !== 'string' && isSame(toForm(one), toForm(other))

function show(form: UseFormReturn<CampaignFormValues>, { version, values }: Basis) {
  if (typeof version === 'string') return
  form.reset(toForm(version))
  if (values !== null) form.reset(values, { keepDefaultValues: true })
}
