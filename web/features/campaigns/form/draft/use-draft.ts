import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Campaign } from '#contract/campaign-body'
import type { CampaignType } from '#domain/campaign/content/options'
import { now } from '@/lib/clock'
import { useMe } from '@/session/session-queries'
import { isSame } from '../creatives/wire-values.ts'
import { emptyForm, toForm } from '../form-mapping.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { draftKey, dropDraft, keepDraft, readDraft, type Draft } from './local-draft.ts'

const CALM_MS = 1000

/**
 * Stores what is typed in this browser, and offers what was left there: a crash or a closed tab loses nothing. Nothing is stored
 * until that offer is answered, or the first keystroke would overwrite the draft. `of` is the objective of a new campaign, or the
 * version that a stored one is edited on; null for copies and for what the user may not change.
 */
export function useDraft(form: UseFormReturn<CampaignFormValues>, of: Campaign | CampaignType | null) {
  const me = useMe()
  const key = of === null ? null : draftKey(me.id, me.space_id, typeof of === 'string' ? of : `edit ${of.id}`)
  const [found, setFound] = useState(() => ({ key, draft: offerOf(key, of) }))
  // The same form becomes editable when its campaign leaves the archive.
  if (found.key !== key) setFound({ key, draft: offerOf(key, of) })
  const offer = found.draft
  const basis = useRef(of)
  useEffect(() => {
    basis.current = of
  }, [of])
  const created = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (key === null || offer !== null) return undefined
    const keep = () => {
      const on = basis.current
      calm(timer)
      if (created.current || on === null) return
      const values = form.getValues()
      if (isUntouched(values, on)) dropDraft(key)
      else keepDraft(key, { at: now(), values, on: typeof on === 'string' ? null : on })
    }
    const keepAtOnce = () => timer.current !== undefined && keep()
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        calm(timer)
        timer.current = setTimeout(keep, CALM_MS)
      },
    })
    window.addEventListener('pagehide', keepAtOnce)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', keepAtOnce)
      keepAtOnce()
    }
  }, [form, key, offer])

  const answered = () => setFound({ key, draft: null })
  const drop = () => {
    calm(timer)
    if (key !== null) dropDraft(key)
    answered()
  }
  return {
    offer,
    /** The offer was taken up. */
    taken: answered,
    startAnew: drop,
    /** The server has stored the values: they are no draft any more. */
    saved: () => {
      created.current = typeof of === 'string'
      drop()
    },
  }
}

function calm(timer: { current: ReturnType<typeof setTimeout> | undefined }) {
  clearTimeout(timer.current)
  timer.current = undefined
}

/** Edits that were stored in another way are no longer offered. */
function offerOf(key: string | null, of: Campaign | CampaignType | null): Draft | null {
  const draft = key === null ? null : readDraft(key, now())
  if (draft === null || key === null || of === null || !isUntouched(draft.values, of)) return draft
  dropDraft(key)
  return null
}

function isUntouched(values: CampaignFormValues, of: Campaign | CampaignType): boolean {
  if (typeof of !== 'string') return isSame(values, toForm(of))
  // The generated number in the name is not user input.
  return isSame({ ...values, name: values.name.replace(/^(New Campaign) \d+$/, '$1') }, emptyForm(of))
}
