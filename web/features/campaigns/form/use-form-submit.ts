import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { toast } from '@/lib/toast'
import { errorToast } from '@/i18n/error-toast'
import type { CampaignType } from '#domain/campaign/content/options'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { AppError, type ServerFault } from '@/data/app-error'
import { faultText } from '@/i18n/error-text'
import { useErrorText } from './campaign-form-context.ts'
import type { SummaryItem } from './error-summary.tsx'
import { fieldLabel } from './field-label.ts'
import { inTabOrder, listErrors, placeFaults } from './form-faults.ts'
import { toForm, toPayload } from './form-mapping.ts'
import type { CampaignFormValues } from './form-schema.ts'
import { nextTab, type TabContext, type TabKey } from './form-tabs.ts'
import { carryOver, concurrentEdits } from './concurrent-edits.ts'
import { NotSaved, publishFaults, useCampaignSave, type SaveMode } from './use-campaign-save.ts'

const CHANGED_BY_SOMEONE_ELSE = 140
const UNAUTHORIZED = 401

type SubmitInput = {
  readonly form: UseFormReturn<CampaignFormValues>
  readonly base: Campaign | CampaignType
  /** The source campaign of a copy. */
  readonly copyOf: string | null
  readonly tab: TabKey
  readonly tabs: TabContext
  readonly onFault: (item: SummaryItem) => void
  /** Called before publishing; false cancels. */
  readonly mayPublish: (body: CampaignInput, values: CampaignFormValues) => Promise<boolean>
  /** `typed`: the values typed during the save, applied to the stored campaign; null when nothing was typed. */
  readonly onSaved: (campaign: Campaign, typed: CampaignFormValues | null) => void
}

/** Saves that errors prevent: drafts and publications alike. */
type Found = { readonly mode: 'save' | 'publish'; readonly items: readonly SummaryItem[] }

/** Saves and publishes, and handles every kind of failure. */
export function useFormSubmit({ form, base, copyOf, tab, tabs, onFault, mayPublish, onSaved }: SubmitInput) {
  const { t } = useTranslation('form')
  const navigate = useNavigate()
  const saving = useCampaignSave()
  const textOf = useErrorText()
  const [found, setFound] = useState<Found>({ mode: 'save', items: [] })
  /** The pending action when a concurrent save was detected. */
  const [stale, setStale] = useState<SaveMode | null>(null)
  /** True from a successful save until the form is reset: leaving loses nothing then. */
  const saved = useRef(false)
  const left = useRef(false)
  const busy = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const goalOf = (mode: SaveMode) => (mode === 'publish' ? 'publish' : 'save')
  const show = (mode: SaveMode, items: readonly SummaryItem[]) => {
    setFound({ mode: goalOf(mode), items })
    const first = items.find((item) => item.tab !== null) ?? items[0]
    if (first) onFault(first)
  }

  /** Sets the server's faults on their fields, except on fields already listed. */
  const place = (faults: readonly ServerFault[], listed: readonly SummaryItem[] = []): readonly SummaryItem[] => {
    const taken = new Set(listed.flatMap(({ field }) => field ?? []))
    const placed = placeFaults(faults, { banners: form.getValues('banners'), slices: form.getValues() })
    return placed.flatMap(({ field, tab, fault }) => {
      if (field !== null && taken.has(field)) return []
      const text = faultText(fault)
      if (field !== null) form.setError(field, { type: 'server', message: text })
      return [{ field, tab, text }]
    })
  }

  const fail = (mode: SaveMode, error: unknown) => {
    if (error instanceof AppError && error.code === CHANGED_BY_SOMEONE_ELSE) return setStale(mode)
    // The sign-in dialog opens over this form.
    if (error instanceof AppError && error.code === UNAUTHORIZED) return
    if (error instanceof NotSaved) return
    const items = place(error instanceof AppError ? error.faults : [])
    const [first] = items
    const named = first?.field ? `${fieldLabel(first.field)}: ` : ''
    if (first === undefined) errorToast(error)
    else toast.error(named + first.text)
    if (items.length > 0) show(mode, items)
  }

  const refuse = async (mode: SaveMode, errors: FieldErrors<CampaignFormValues>, body: CampaignInput) => {
    const own = listErrors(errors).map(({ field, tab, type, message }) => ({ field, tab, text: textOf(type, message) }))
    // Report all obstacles to publishing at once, including those that only the server knows.
    const more = mode === 'publish' ? place(await publishFaults(body), own) : []
    if (!left.current) show(mode, inTabOrder([...own, ...more]))
  }

  /** Next step of a campaign that was published. */
  const reviewNote = ({ need_moderation: waits, approved_version: approved }: Campaign) =>
    waits ? { description: t(approved === null ? 'publishedText.review' : 'publishedText.reReview') } : undefined

  const succeed = async (mode: SaveMode, campaign: Campaign, sent: CampaignFormValues, on: Campaign | CampaignType) => {
    const nothing = mode === 'publish' && typeof on !== 'string' && campaign.revision === on.revision
    if (nothing) toast.info(t('nothingToPublish'))
    else if (mode === 'publish') toast.success(t('published'), reviewNote(campaign))
    else toast.success(t('saved'))
    // The user has left the page during the save.
    if (left.current) return
    saved.current = true
    setFound({ mode: goalOf(mode), items: [] })
    const typed = concurrentEdits(sent, form.getValues(), toForm(campaign))
    onSaved(campaign, typed)
    if (typed !== null && typeof base === 'string') carryOver(campaign.id, typed)
    if (mode === 'publish' && typed === null && !nothing) await navigate({ to: '/campaigns' })
    else if (mode === 'next' || typeof base === 'string') {
      const search = { tab: (mode === 'save' ? null : nextTab(tab, tabs)) ?? tab }
      await navigate({ to: '/campaign/edit/$id', params: { id: campaign.id }, search, replace: typeof base === 'string' })
    }
    saved.current = false
  }

  /** `on` is the version that the form values are based on. */
  const submit = (mode: SaveMode, on = base) => {
    // Questions before the save take time, too.
    if (busy.current) return
    busy.current = true
    const sent = structuredClone(form.getValues())
    const bodyOf = (values: CampaignFormValues) => ({
      ...toPayload(values, on),
      ...(copyOf === null ? {} : { replicated_from: copyOf }),
    })
    const submitted = form.handleSubmit(
      async (values) => {
        const body = bodyOf(values)
        try {
          if (mode === 'publish' && !(await mayPublish(body, values))) return
          await succeed(mode, await saving.mutateAsync({ mode, body }), sent, on)
        } catch (error) {
          if (!left.current) fail(mode, error)
        }
      },
      (errors) => refuse(mode, errors, bodyOf(sent)),
    )()
    void submitted.finally(() => {
      busy.current = false
    })
  }

  const pending = saving.isPending ? saving.variables.mode : null
  const { waiting, stopWaiting } = saving
  return { submit, pending, waiting, stopWaiting, found, stale, saved, closeStale: () => setStale(null) }
}
