import { useState } from 'react'
import { useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'

export type Mode = 'automatic' | 'manual'

/** Automatic or manual. Without a country the mode does not change, and the requested mode is reported (decisions G-105). */
export function useModeSwitch() {
  const { tabs } = useFormBase()
  const { value: automatic, set, ref, disabled } = useSliceField('targeting.automatic')
  const [wanted, setWanted] = useState<Mode | null>(null)
  const country = useFormValue('country')
  const choose = (mode: Mode) => {
    setWanted(mode)
    if (country !== '') set(mode === 'automatic')
  }
  return {
    /** Audio campaigns always use manual targeting (decisions G-107). */
    fixed: tabs.audio,
    mode: automatic && !tabs.audio ? ('automatic' as const) : ('manual' as const),
    refused: country === '' ? wanted : null,
    choose,
    ref,
    disabled,
  }
}
