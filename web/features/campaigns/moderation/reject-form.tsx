import { useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckGroup } from '@/components/form/check-group'
import { LabelledField, FieldTextarea } from '@/components/form/labelled-field'
import { FREE_TEXT_LIMIT, needsText, REJECT_REASONS, useRejectComment, type RejectReason } from './reject-reasons.ts'

type RejectFormProps = {
  /** The first reason, which receives the focus when a shortcut opens the form. */
  readonly firstRef?: Ref<HTMLInputElement>
  readonly formRef?: Ref<HTMLFormElement>
  readonly className: string
  readonly onReject: (comment: string) => void
  /** Buttons, including the submit button. */
  readonly children: ReactNode
}

/** Predefined reasons and free text. At least one of them is required. */
export function RejectForm({ firstRef, formRef, className, onReject, children }: RejectFormProps) {
  const { t } = useTranslation('moderation')
  const words = useRef<HTMLTextAreaElement>(null)
  const commentOf = useRejectComment()
  const [reasons, setReasons] = useState<readonly RejectReason[]>([])
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const missing = needsText(reasons) && text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (missing) words.current?.focus()
    else onReject(commentOf(reasons, text))
  }
  // A letter that is typed while a reason has the focus begins the words.
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
    const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isText && target instanceof HTMLInputElement) words.current?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields, not of the form itself
    <form ref={formRef} noValidate className={className} onSubmit={submit} onKeyDown={onKeyDown}>
      <CheckGroup
        {...(firstRef === undefined ? {} : { ref: firstRef })}
        columns
        label={t('reasons')}
        options={REJECT_REASONS.map((reason) => ({ value: reason, label: t(`reasonLabel.${reason}`) }))}
        value={reasons}
        onChange={(next) => setReasons(REJECT_REASONS.filter((reason) => next.includes(reason)))}
      />
      <LabelledField
        label={t('reason')}
        help={t(needsText(reasons) ? 'reasonHelp' : 'reasonMore')}
        error={tried && missing ? t('reasonRequired') : undefined}
      >
        <FieldTextarea
          ref={words}
          value={text}
          required={needsText(reasons)}
          maxLength={FREE_TEXT_LIMIT}
          onChange={(event) => setText(event.target.value)}
        />
      </LabelledField>
      {children}
    </form>
  )
}
