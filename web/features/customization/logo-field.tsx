import { Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Upload, useUploadRows } from '@/components/upload/upload'
import { createUploads } from '@/components/upload/uploads'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field'
import { AppError } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'
import type { BrandingValues } from './branding-values.ts'
import { sendLogo, type StoredLogo } from './customization-queries.ts'
import { logoAddress, rememberLogo } from './logo-address.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The first fault says what is wrong with the file. */
const explain = (error: unknown): string => {
  const fault = error instanceof AppError ? error.faults[0] : undefined
  return fault === undefined ? errorText(error) : faultText(fault)
}

/** The logo: an upload area, or the picture with its removal. It is stored with the form. */
export function LogoField() {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const {
    field: { ref, value, onChange },
    fieldState,
  } = useController({ control, name: 'logo' })
  const [uploads] = useState(() => createUploads<StoredLogo>())
  const rows = useUploadRows(uploads, 'logo')
  const receive = useCallback((file: StoredLogo) => onChange(rememberLogo(file).file_id), [onChange])
  const error = fieldState.error?.message
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" ref={ref} tabIndex={-1}>
      <legend className="mb-1.5 text-[0.8125rem]/4.5 font-medium">{t('logo.label')}</legend>
      {value === '' ? (
        <Upload
          uploads={uploads}
          slot="logo"
          rows={rows}
          label={t('logo.upload')}
          accept={IMAGES}
          send={sendLogo}
          explain={explain}
          onUploaded={receive}
        >
          {t('logo.empty')}
        </Upload>
      ) : (
        <div className="border-border flex items-center gap-4 rounded-lg border p-3">
          <div className="checkered grid h-14 w-44 place-items-center rounded-md p-2">
            <img src={logoAddress(value)} alt={t('logo.alt')} className="max-h-10 max-w-40 object-contain" />
          </div>
          <Button
            variant="outline"
            size="sm"
            onClick={() => {
              uploads.clear('logo')
              onChange('')
            }}
          >
            <Trash2 aria-hidden />
            {t('logo.remove')}
          </Button>
        </div>
      )}
      {error === undefined ? <p className="text-muted-foreground text-xs">{t('logo.help')}</p> : <FieldError>{error}</FieldError>}
    </fieldset>
  )
}
