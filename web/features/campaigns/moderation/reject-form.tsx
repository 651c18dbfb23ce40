import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CheckGroup } from '@/components/form/check-group'
import { TextareaField } from '@/components/form/fields'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { Skeleton } from '@/components/ui/skeleton'
import { moderationQueries } from '@/data/moderation-queries'
import { CannedReasons } from './canned-reasons.tsx'
import { FREE_TEXT_LIMIT, needsText, REJECT_REASONS, useRejectComment, type RejectValues } from './reject-reasons.ts'
import type { Verdict } from './use-decision.ts'

export type RejectFormState = UseFormReturn<RejectValues>

const EMPTY: RejectValues = { reasons: [], text: '' }

/**
 * The state of a rejection, which begins with what was typed before, or else with what is suggested; mark it as saved once the campaign
 * is rejected.
 */
export function useRejectForm(draft: Verdict | null, suggested: RejectValues = EMPTY): RejectFormState {
  const { t } = useTranslation('moderation')
  const typed = draft?.kind === 'reject' ? draft.typed : EMPTY
  const form = useShortForm<RejectValues>(EMPTY, ({ reasons, text }) => ({
    text: needsText(reasons) && text.trim() === '' ? t('reasonRequired') : null,
  }))
  // Set, not initial: what came back is as unsaved as when it was typed.
  useEffect(() => {
    for (const name of ['reasons', 'text'] as const)
      if (typed[name].length > 0) form.setValue(name, typed[name], { shouldDirty: true })
  }, [form, typed])
  useEffect(() => {
    const { reasons, text } = form.getValues()
    if (typed === EMPTY && reasons.length === 0 && text === '') form.reset(suggested)
  }, [form, typed, suggested])
  return form
}

type RejectFormProps = {
  readonly form: RejectFormState
  readonly campaignId: string
  /** Whether the first reason receives the focus, when a shortcut opens the form. */
  readonly focused?: boolean
  readonly formRef?: Ref<HTMLFormElement>
  readonly className: string
  readonly onReject: (verdict: Verdict) => void
  /** Buttons, including the submit button. */
  readonly children: ReactNode
}

/** Predefined reasons, those of the white-label where it has its own, and free text. At least one of them is required. */
export function RejectForm({ form, campaignId, focused = false, formRef, className, onReject, children }: RejectFormProps) {
  const { t } = useTranslation('moderation')
  const commentOf = useRejectComment()
  const reasons = useWatch({ control: form.control, name: 'reasons' })
  const { data: guidelines, isPending } = useQuery(moderationQueries.guidelines(campaignId))
  const canned = guidelines?.reasons ?? []
  // A letter that is typed while a reason has the focus begins the words.
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target, currentTarget }: KeyboardEvent) => {
    const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isText && target instanceof HTMLInputElement && target.type === 'checkbox')
      currentTarget.querySelector('textarea')?.focus()
  }
  const insert = (text: string) => {
    const next = [form.getValues('text').trimEnd(), text].filter((part) => part !== '').join('\n')
    if (next.length > FREE_TEXT_LIMIT) form.setError('text', { type: 'rule', message: t('canned.tooLong') })
    else form.setValue('text', next, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <ShortForm
      form={form}
      {...(formRef !== undefined && { ref: formRef })}
      className={className}
      onSubmit={(typed) => onReject({ kind: 'reject', comment: commentOf(typed.reasons, typed.text), typed })}
      onKeyDown={onKeyDown}
    >
      {isPending ? (
        <Skeleton className="h-24 w-full" />
      ) : guidelines === undefined || canned.length === 0 ? (
        <Reasons form={form} focused={focused} />
      ) : (
        <CannedReasons reasons={canned} focused={focused} onPick={({ text }) => insert(text[guidelines.language])} />
      )}
      <TextareaField<keyof RejectValues>
        name="text"
        label={t('reason')}
        help={t(needsText(reasons) ? 'reasonHelp' : 'reasonMore')}
        required={needsText(reasons)}
        maxLength={FREE_TEXT_LIMIT}
      />
      {children}
    </ShortForm>
  )
}

function Reasons({ form, focused }: { readonly form: RejectFormState; readonly focused: boolean }) {
  const { t } = useTranslation('moderation')
  const { value, onChange } = useController({ control: form.control, name: 'reasons' }).field
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) first.current?.focus()
  }, [focused])
  return (
    <CheckGroup
      ref={first}
      columns
      label={t('reasons')}
      options={REJECT_REASONS.map((reason) => ({ value: reason, label: t(`reasonLabel.${reason}`) }))}
      value={value}
      onChange={(next) => {
        onChange(REJECT_REASONS.filter((reason) => next.includes(reason)))
        // A reason may be all that was missing.
        if (form.formState.isSubmitted) void form.trigger('text')
      }}
    />
  )
}
