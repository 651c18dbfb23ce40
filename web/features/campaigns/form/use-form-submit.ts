import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UseFormReturn } from 'react-hook-form'
import { toast } from '../../../lib/toast.ts'
import type { CampaignType } from '../../../../domain/campaign/options.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { AppError } from '../../../api/app-error.ts'
import { errorText, faultText } from '../../../i18n/error-text.ts'
import { useErrorText } from './campaign-form-context.ts'
import type { SummaryItem } from './error-summary.tsx'
import { fieldLabel } from './field-label.ts'
import { listErrors, placeFaults } from './form-faults.ts'
import { toForm, toPayload } from './form-mapping.ts'
import type { CampaignFormValues } from './form-schema.ts'
import { nextTab, type TabContext, type TabKey } from './form-tabs.ts'
import { carryOver, typedMeanwhile } from './typed-meanwhile.ts'
import { useCampaignSave, type SaveMode } from './use-campaign-save.ts'

const CHANGED_BY_SOMEONE_ELSE = 140
const UNAUTHORIZED = 401

type SubmitInput = {
  readonly form: UseFormReturn<CampaignFormValues>
  readonly base: Campaign | CampaignType
  /** The campaign that a new one is a copy of. */
  readonly copyOf: string | null
  readonly tab: TabKey
  readonly tabs: TabContext
  readonly onFault: (item: SummaryItem) => void
  /** `typed` is what was typed while the save was on its way, on top of what was stored; null when nothing was. */
  readonly onSaved: (campaign: Campaign, typed: CampaignFormValues | null) => void
}

/** Save and publish, and where each way of failing leads. */
export function useFormSubmit({ form, base, copyOf, tab, tabs, onFault, onSaved }: SubmitInput) {
  const { t } = useTranslation('form')
  const navigate = useNavigate()
  const saving = useCampaignSave()
  const textOf = useErrorText()
  const [items, setItems] = useState<readonly SummaryItem[]>([])
  /** What was to be done when somebody else turned out to have saved in the meantime. */
  const [stale, setStale] = useState<SaveMode | null>(null)
  /** True from a successful save until the form is shown anew: then leaving loses nothing. */
  const saved = useRef(false)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const show = (found: readonly SummaryItem[]) => {
    setItems(found)
    const first = found.find((item) => item.tab !== null) ?? found[0]
    if (first) onFault(first)
  }

  const fail = (mode: SaveMode, error: unknown) => {
    if (error instanceof AppError && error.code === CHANGED_BY_SOMEONE_ELSE) return setStale(mode)
    // The user is asked to sign in again, over this form.
    if (error instanceof AppError && error.code === UNAUTHORIZED) return
    const faults = error instanceof AppError ? error.faults : []
    const placed = placeFaults(faults, { banners: form.getValues('banners'), slices: form.getValues() })
    for (const { field, fault } of placed) if (field) form.setError(field, { type: 'server', message: faultText(fault) })
    const [first] = placed
    const named = first?.field ? `${fieldLabel(first.field)}: ` : ''
    toast.error(first === undefined ? errorText(error) : named + faultText(first.fault))
    if (placed.length > 0) show(placed.map(({ field, tab, fault }) => ({ field, tab, text: faultText(fault) })))
  }

  const succeed = async (mode: SaveMode, campaign: Campaign, sent: CampaignFormValues) => {
    toast.success(t(mode === 'publish' ? 'published' : 'saved'))
    // The page was left while the save was on its way: the user is elsewhere now.
    if (left.current) return
    saved.current = true
    setItems([])
    const typed = typedMeanwhile(sent, form.getValues(), toForm(campaign))
    onSaved(campaign, typed)
    if (typed !== null && typeof base === 'string') carryOver(campaign.id, typed)
    if (mode === 'publish' && typed === null) await navigate({ to: '/campaigns' })
    else if (mode === 'save' || typeof base === 'string') {
      const search = { tab: nextTab(tab, tabs) ?? tab }
      await navigate({ to: '/campaign/edit/$id', params: { id: campaign.id }, search, replace: typeof base === 'string' })
    }
    saved.current = false
  }

  /** `on` is the version that what stands in the form was made from. */
  const submit = (mode: SaveMode, on = base) => {
    const sent = structuredClone(form.getValues())
    void form.handleSubmit(
      async (values) => {
        try {
          const source = copyOf === null ? {} : { replicated_from: copyOf }
          await succeed(mode, await saving.mutateAsync({ mode, body: { ...toPayload(values, on), ...source } }), sent)
        } catch (error) {
          if (!left.current) fail(mode, error)
        }
      },
      (errors) => show(listErrors(errors).map(({ field, tab, type, message }) => ({ field, tab, text: textOf(type, message) }))),
    )()
  }

  const pending = saving.isPending ? saving.variables.mode : null
  return { submit, pending, items, stale, saved, closeStale: () => setStale(null) }
}
