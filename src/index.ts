export { sampleColumns } from './model/sample.ts'
