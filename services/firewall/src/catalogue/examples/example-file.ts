/** A body, or part of one: values as the API takes them, by member. */
export type Members = Readonly<Record<string, unknown>>

/**
 * The example of one kind: a file in catalogue/examples that carries its name. As a value, "@kind" stands for the
 * name of that kind's own example.
 */
export interface ExampleFile {
  /** Which of the factory's objects is the example, of kinds whose objects cannot be created. */
  readonly name?: string
  /** The smallest body that creates an object. */
  readonly create?: Members
  /** A body that creates an object with every member that can be set. */
  readonly full?: Members
  /** A body with every member that can be changed. */
  readonly update?: Members
  /** A body with every member of each section, by segment. */
  readonly sections?: Readonly<Record<string, Members>>
}
