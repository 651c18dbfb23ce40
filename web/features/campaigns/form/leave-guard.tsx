import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LeaveGuard as Guard } from '@/components/form/leave-guard'
import { useCampaignForm } from './campaign-form-context.ts'

type Place = { readonly pathname: string; readonly search: object }

/** Identifies the form that a URL shows, by objective and copy source, independent of the tab. */
const formAt = ({ pathname, search }: Place) =>
  JSON.stringify([pathname, 'type' in search && search.type, 'replicatedId' in search && search.replicatedId])
const isSameForm = (one: Place, other: Place) => formAt(one) === formAt(other)

const KEPT = { campaign: 'leave.kept', edits: 'leave.keptEdits' } as const

type LeaveGuardProps = {
  readonly uploading: boolean
  /** True while a successful save navigates away: leaving loses nothing then. */
  readonly saved: RefObject<boolean>
  /** Draft that this browser stores; null without one. */
  readonly kept: 'campaign' | 'edits' | null
}

/** Guards the campaign form. A separate component, so that the first keystroke re-renders this and not the form. */
export function LeaveGuard({ uploading, saved, kept }: LeaveGuardProps) {
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { isDirty } = useFormState({ control })
  const unsaved = useRef(false)
  useEffect(() => {
    unsaved.current = isDirty || uploading
  }, [isDirty, uploading])
  const wouldLose = useCallback(() => unsaved.current && !saved.current, [saved])
  return (
    <Guard
      wouldLose={wouldLose}
      isSameForm={isSameForm}
      texts={{
        title: t('leave.title'),
        text: t(uploading || kept === null ? 'leave.text' : KEPT[kept]),
        confirm: t('leave.leave'),
        cancel: t('leave.stay'),
      }}
    />
  )
}
