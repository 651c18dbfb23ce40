import { type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CheckGroup } from '@/components/form/check-group'
import { TextareaField } from '@/components/form/fields'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { FREE_TEXT_LIMIT, needsText, REJECT_REASONS, useRejectComment, type RejectReason } from './reject-reasons.ts'

type RejectValues = { readonly reasons: readonly RejectReason[]; readonly text: string }
export type RejectFormState = UseFormReturn<RejectValues>

/** The state of a rejection; mark it as saved once the campaign is rejected. */
export function useRejectForm(): RejectFormState {
  const { t } = useTranslation('moderation')
  return useShortForm<RejectValues>({ reasons: [], text: '' }, ({ reasons, text }) => ({
    text: needsText(reasons) && text.trim() === '' ? t('reasonRequired') : null,
  }))
}

type RejectFormProps = {
  readonly form: RejectFormState
  /** The first reason, which receives the focus when a shortcut opens the form. */
  readonly firstRef?: Ref<HTMLInputElement>
  readonly formRef?: Ref<HTMLFormElement>
  readonly className: string
  readonly onReject: (comment: string) => void
  /** Buttons, including the submit button. */
  readonly children: ReactNode
}

/** Predefined reasons and free text. At least one of them is required. */
export function RejectForm({ form, firstRef, formRef, className, onReject, children }: RejectFormProps) {
  const { t } = useTranslation('moderation')
  const commentOf = useRejectComment()
  const reasons = useWatch({ control: form.control, name: 'reasons' })
  // A letter that is typed while a reason has the focus begins the words.
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target, currentTarget }: KeyboardEvent) => {
    const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isText && target instanceof HTMLInputElement) currentTarget.querySelector('textarea')?.focus()
  }
  return (
    <ShortForm
      form={form}
      {...(formRef !== undefined && { ref: formRef })}
      className={className}
      onSubmit={(values) => onReject(commentOf(values.reasons, values.text))}
      onKeyDown={onKeyDown}
    >
      <Reasons form={form} {...(firstRef !== undefined && { firstRef })} />
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

function Reasons({ form, firstRef }: { readonly form: RejectFormState; readonly firstRef?: Ref<HTMLInputElement> }) {
  const { t } = useTranslation('moderation')
  const { value, onChange } = useController({ control: form.control, name: 'reasons' }).field
  return (
    <CheckGroup
      {...(firstRef !== undefined && { ref: firstRef })}
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
