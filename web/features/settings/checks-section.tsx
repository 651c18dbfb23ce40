import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { formatCount } from '@/i18n/format'
import { GUIDELINE_KEYS, saveEntry, type Guidelines } from './guidelines-queries.ts'

type ChecksProps = {
  readonly whiteLabel: string
  /** Undefined while loading. */
  readonly guidelines: Pick<Guidelines, 'second_look_share' | 'banned_words'> | undefined
}

/** The share of second looks and the banned words (fine print 104). */
export function ChecksSection({ whiteLabel, guidelines }: ChecksProps) {
  const { t } = useTranslation('settings')
  const [editing, setEditing] = useState(false)
  return (
    <SettingsSection
      title={t('guidelines.checks.title')}
      text={t('guidelines.checks.text')}
      action={
        guidelines !== undefined && (
          <Button variant="outline" aria-label={t('guidelines.checks.edit')} onClick={() => setEditing(true)}>
            {t('guidelines.edit')}
          </Button>
        )
      }
    >
      {guidelines === undefined ? (
        <Skeleton className="h-14 w-full" />
      ) : (
        <dl className="flex flex-col gap-2">
          <div>
            <dt className="text-muted-foreground text-xs">{t('guidelines.field.second_look_share')}</dt>
            <dd>{t('guidelines.checks.percent', { value: formatCount(guidelines.second_look_share) })}</dd>
          </div>
          <div>
            <dt className="text-muted-foreground text-xs">{t('guidelines.field.banned_words')}</dt>
            <dd className="[overflow-wrap:anywhere]">{guidelines.banned_words.join(', ') || t('guidelines.checks.none')}</dd>
          </div>
        </dl>
      )}
      {editing && guidelines !== undefined && (
        <FieldsDialog
          title={t('guidelines.checks.edit')}
          text={t('guidelines.checks.dialogText')}
          fields={{
            second_look_share: {
              label: t('guidelines.field.second_look_share'),
              kind: 'number',
              required: true,
              help: t('guidelines.checks.shareHelp'),
              initial: guidelines.second_look_share,
            },
            banned_words: {
              label: t('guidelines.field.banned_words'),
              kind: 'words',
              help: t('guidelines.checks.wordsHelp'),
              initial: guidelines.banned_words.join('\n'),
            },
          }}
          confirm={t('guidelines.save')}
          send={({ second_look_share, banned_words }) =>
            saveEntry(whiteLabel, {
              second_look_share,
              banned_words: banned_words.split('\n').filter((word) => word.trim() !== ''),
            })
          }
          invalidates={GUIDELINE_KEYS}
          done={t('guidelines.saved')}
          onClose={() => setEditing(false)}
        />
      )}
    </SettingsSection>
  )
}
