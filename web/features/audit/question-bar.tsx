import { BookmarkPlus, X } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/utils'
import { useMe } from '@/session/session-queries'
import { isFiltered, sameFilters, type AuditFilters } from './audit-search.ts'
import { QUESTION_NAMES, QUESTIONS, readQuestions, removeQuestion } from './questions.ts'

const SaveQuestionDialog = lazy(async () => ({ default: (await import('./save-question-dialog.tsx')).SaveQuestionDialog }))

type QuestionBarProps = { readonly filters: AuditFilters; readonly onAsk: (filters: AuditFilters) => void }

/** Questions that are asked often, and those that the user saved. The pressed one is what is shown. */
export function QuestionBar({ filters, onAsk }: QuestionBarProps) {
  const { t } = useTranslation('audit')
  const me = useMe()
  const [saved, setSaved] = useState(() => readQuestions(me.id))
  const [saving, setSaving] = useState(false)
  const known =
    QUESTION_NAMES.some((name) => sameFilters(filters, QUESTIONS[name])) || saved.some((one) => sameFilters(filters, one.filters))
  return (
    <fieldset aria-label={t('questions.label')} className="flex min-w-0 flex-wrap items-center gap-1.5">
      <Question pressed={!isFiltered(filters)} onPress={() => onAsk({})}>
        {t('questions.all')}
      </Question>
      {QUESTION_NAMES.map((name) => (
        <Question
          key={name}
          pressed={sameFilters(filters, QUESTIONS[name] as AuditFilters)}
          onPress={() => onAsk(QUESTIONS[name])}
        >
          {t(`questions.${name}`)}
        </Question>
      ))}
      {saved.map((one) => (
        <span key={one.name} className="inline-flex">
          <Question pressed={sameFilters(filters, one.filters)} onPress={() => onAsk(one.filters)} removable>
            {one.name}
          </Question>
          <button
            type="button"
            aria-label={t('questions.remove', { name: one.name })}
            onClick={() => setSaved(removeQuestion(me.id, one.name))}
            className="border-input text-muted-foreground hover:bg-muted hover:text-foreground grid h-7 w-7 place-items-center rounded-r-full border border-l-0"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      {isFiltered(filters) && !known && (
        <Button variant="ghost" size="sm" onClick={() => setSaving(true)}>
          <BookmarkPlus aria-hidden />
          {t('questions.save')}
        </Button>
      )}
      {saving && (
        <Suspense>
          <SaveQuestionDialog person={me.id} filters={filters} onSaved={setSaved} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </fieldset>
  )
}

type QuestionProps = {
  readonly pressed: boolean
  readonly onPress: () => void
  readonly removable?: boolean
  readonly children: ReactNode
}

const Question = ({ pressed, onPress, removable = false, children }: QuestionProps) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onPress}
    className={cn(
      'border-input hover:bg-muted h-7 rounded-full border px-3 text-[0.8125rem]/5 transition-colors',
      removable && 'rounded-r-none',
      pressed && 'border-primary bg-primary-tint text-primary-ink hover:bg-primary-tint font-medium',
    )}
  >
    {children}
  </button>
)
