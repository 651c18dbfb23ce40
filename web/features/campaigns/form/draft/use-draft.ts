import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { CampaignType } from '#domain/campaign/content/options'
import { now } from '@/lib/clock'
import { useMe } from '@/session/session-queries'
import { emptyForm } from '../form-mapping.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { draftKey, dropDraft, keepDraft, readDraft } from './local-draft.ts'

const CALM_MS = 1000

/**
 * Stores a new campaign in this browser while it is typed, and offers a previous draft. Nothing is stored until that offer is
 * answered, or the first keystroke would overwrite the draft. `type` is null for stored campaigns and for copies.
 */
export function useDraft(form: UseFormReturn<CampaignFormValues>, type: CampaignType | null) {
  const me = useMe()
  const key = type === null ? null : draftKey(me.id, me.space_id, type)
  const [offer, setOffer] = useState(() => (key === null ? null : readDraft(key, now())))
  const saved = useRef(false)

  useEffect(() => {
    if (key === null || type === null || offer !== null) return undefined
    const untouched = JSON.stringify(emptyForm(type))
    // The generated number in the name is not user input.
    const unnumbered = (values: CampaignFormValues) => ({ ...values, name: values.name.replace(/^(New Campaign) \d+$/, '$1') })
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      if (saved.current) return
      const values = form.getValues()
      if (JSON.stringify(unnumbered(values)) === untouched) dropDraft(key)
      else keepDraft(key, { at: now(), values })
    }
    const keepAtOnce = () => timer !== undefined && keep()
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(keep, CALM_MS)
      },
    })
    window.addEventListener('pagehide', keepAtOnce)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', keepAtOnce)
      keepAtOnce()
    }
  }, [form, key, type, offer])

  const drop = () => {
    if (key !== null) dropDraft(key)
    setOffer(null)
  }
  return {
    offer,
    continue: () => {
      if (offer !== null) form.reset(offer.values, { keepDefaultValues: true })
      setOffer(null)
    },
    startAnew: drop,
    /** The server has stored the campaign: no draft is needed any more. */
    saved: () => {
      saved.current = true
      drop()
    },
  }
}
