import reports from '../locales/en/reports.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the report pages.
addEnglish({ reports })
