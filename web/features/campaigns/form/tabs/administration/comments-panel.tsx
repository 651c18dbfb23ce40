import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { LabelledField, FieldTextarea } from '@/components/form/labelled-field'
import { administrationMutations, administrationQueries } from '@/data/administration-queries'
import { errorText } from '@/i18n/error-text'
import { formatMinute } from '@/i18n/format'
import { campaignQueries } from '@/data/campaign-queries'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormSection } from '../form-section.tsx'

const COMMENT_MAX = 5000

/** Notes on the campaign. Each note is a separate command, sent at once; the form's typed values stay. */
export function CommentsPanel() {
  const { t } = useTranslation('administration')
  const { campaign } = useFormBase()
  return (
    <FormSection title={t('comments.title')} lead={t('comments.lead')}>
      <div className="col-span-2">
        {campaign === null ? <p className="text-muted-foreground">{t('comments.new')}</p> : <Comments id={campaign.id} />}
      </div>
    </FormSection>
  )
}

function Comments({ id }: { readonly id: string }) {
  const { t } = useTranslation('administration')
  const { readOnly } = useFormBase()
  const { data, error } = useQuery(administrationQueries.details(id))
  return (
    <div className="flex flex-col gap-5">
      {!readOnly && <NewComment id={id} />}
      {error !== null && <p className="text-destructive">{`${t('comments.failed')}: ${errorText(error)}`}</p>}
      {data === undefined && error === null && <p className="text-muted-foreground">{t('comments.loading')}</p>}
      {data?.comments.length === 0 && <p className="text-muted-foreground">{t('comments.none')}</p>}
      {data !== undefined && data.comments.length > 0 && (
        <ol aria-label={t('comments.title')} className="divide-border flex flex-col divide-y">
          {data.comments.map(({ kind, text, author, date }) => (
            <li key={date + text} className="py-3 first:pt-0 last:pb-0">
              <p className="text-muted-foreground text-xs flex gap-2">
                <span className="text-foreground font-medium">{author}</span>
                <time dateTime={date}>{formatMinute(date)}</time>
                {kind === 'rejection' && <span className="text-destructive font-medium">{t('comments.rejection')}</span>}
              </p>
              <p className="mt-0.5 wrap-anywhere whitespace-pre-line">{text}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function NewComment({ id }: { readonly id: string }) {
  const { t } = useTranslation('administration')
  const [text, setText] = useState('')
  const adding = useMutation({
    ...administrationMutations.comment(id),
    meta: {
      silent: true,
      // The command creates a new revision, and the form's base follows it.
      invalidates: [administrationQueries.all(), campaignQueries.details(), ['campaigns', 'log']],
    },
    onSuccess: () => {
      setText('')
      toast.success(t('comments.added'))
    },
  })
  return (
    <div className="flex flex-col items-start gap-2">
      <LabelledField
        label={t('comments.label')}
        error={adding.error === null ? undefined : errorText(adding.error)}
        className="w-full"
      >
        <FieldTextarea maxLength={COMMENT_MAX} className="h-20" value={text} onChange={(event) => setText(event.target.value)} />
      </LabelledField>
      <Button
        variant="outline"
        size="sm"
        disabled={text.trim() === '' || adding.isPending}
        onClick={() => adding.mutate(text.trim())}
      >
        {t(adding.isPending ? 'comments.adding' : 'comments.add')}
      </Button>
    </div>
  )
}
