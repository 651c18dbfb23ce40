import { useEffect, useMemo, useRef, useState } from 'react'
import { useFormState, type UseFormReturn } from 'react-hook-form'
import type { CampaignType } from '../../../../domain/campaign/content/options.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { useCampaignForm } from './campaign-form-context.ts'
import { isSame } from './creatives/wire-values.ts'
import { toForm } from './form-mapping.ts'
import type { CampaignFormValues } from './form-schema.ts'
import { takeCarried } from './typed-meanwhile.ts'

type Basis = {
  readonly version: Campaign | CampaignType
  /** What was made of it already; null for the version as it is. */
  readonly values: CampaignFormValues | null
}

/**
 * The version that what stands in the form was made from; a save names its revision. A newer one arriving in the background
 * takes its place only while nothing was typed, or a save would silently undo somebody else's; unless the form would show the
 * same of both, as when a file of the campaign or a note came to it: then nothing can be undone, and what is typed stays.
 */
export function useFormBasis(form: UseFormReturn<CampaignFormValues>, newest: Campaign | CampaignType) {
  const [basis, setBasis] = useState<Basis>({ version: newest, values: null })
  // What was typed while this campaign was being created on the page before.
  useEffect(() => {
    const typed = typeof newest === 'string' ? null : takeCarried(newest.id)
    if (typed !== null) form.reset(typed, { keepDefaultValues: true })
    // Only when the form appears.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const { version } = basis
  const newer = typeof newest !== 'string' && typeof version !== 'string' && newest.revision > version.revision
  const looksSame = useMemo(() => newer && showSame(version, newest), [newer, version, newest])
  const takeNewest = () => setBasis({ version: newest, values: null })
  if (looksSame) takeNewest()
  /** What the form was last made from: showing it again would break off a save that has begun. */
  const shown = useRef(basis)
  useEffect(() => {
    const before = shown.current
    if (before === basis) return
    shown.current = basis
    if (!showSame(before.version, basis.version)) show(form, basis)
  }, [form, basis])
  /** Goes on from a version, at once: what comes next may be to save it. */
  const goOnFrom = (next: Campaign, values: CampaignFormValues | null = null) => {
    shown.current = { version: next, values }
    show(form, shown.current)
    setBasis(shown.current)
  }
  return {
    basis: version,
    goOnFrom,
    /** Null while there is no newer version that waits. */
    takeNewer: newer ? takeNewest : null,
  }
}

/** Takes the newer version that waits as soon as nothing typed stands in its way. On its own: the first letter draws this anew, and not the form. */
export function NewerVersion({ onTake }: { readonly onTake: () => void }) {
  const { control } = useCampaignForm()
  const { isDirty } = useFormState({ control })
  useEffect(() => {
    if (!isDirty) onTake()
  }, [isDirty, onTake])
  return null
}

const showSame = (one: Basis['version'], other: Basis['version']) =>
  typeof one !== 'string' && typeof other !== 'string' && isSame(toForm(one), toForm(other))

function show(form: UseFormReturn<CampaignFormValues>, { version, values }: Basis) {
  if (typeof version === 'string') return
  form.reset(toForm(version))
  if (values !== null) form.reset(values, { keepDefaultValues: true })
}
