//! The macros that declare tables.

/// Declares a set of keys: a struct whose fields are the keys, with doc comments as descriptions.
///
/// `T` is a key that must be given, `Option<T>` and `Vec<T>` may be left out. A `flatten` field takes further
/// keys from the same table.
macro_rules! table {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $( $(#[doc = $key_doc:literal])* $key:ident : $type:ty, )* }
        $(flatten $inner:ident : $inner_type:ty)?
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub(in $crate::scene) struct $name {
            $( $(#[doc = $key_doc])* pub(in $crate::scene) $key: $type, )*
            $( pub(in $crate::scene) $inner: $inner_type, )?
            /// Where the table begins.
            #[allow(dead_code, reason = "not every table is pointed at")]
            pub(in $crate::scene) span: $crate::scene::error::Span,
        }

        impl $crate::scene::read::FromTable for $name {
            fn read_table(
                table: &mut $crate::scene::read::TableReader<'_>,
                notes: &mut $crate::scene::read::Notes,
            ) -> Option<Self> {
                let _ = &notes; // a table may have no keys
                $( let $key = table.field::<$type>(stringify!($key), notes); )*
                $( let $inner = <$inner_type as $crate::scene::read::FromTable>::read_table(table, notes); )?
                Some(Self { $( $key: $key?, )* $( $inner: $inner?, )? span: table.header() })
            }

            fn describe(schema: &mut $crate::scene::read::TableSchema) {
                schema.describe(concat!("", $( $doc, "\n", )*));
                $( schema.key(
                    stringify!($key),
                    <$type as $crate::scene::read::FromScene>::schema(),
                    <$type as $crate::scene::read::FromScene>::absent().is_none(),
                    concat!("", $( $key_doc, "\n", )*),
                ); )*
                $( <$inner_type as $crate::scene::read::FromTable>::describe(schema); )?
            }
        }
    };
}

/// Declares an enum of key sets, chosen by the word a key of the table holds.
macro_rules! tagged {
    (
        $(#[doc = $doc:literal])*
        $name:ident by $tag:literal { $( $word:literal => $variant:ident($type:ty), )* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub(in $crate::scene) enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                #[allow(dead_code, reason = "a kind may have no keys of its own")]
                $variant($type),
            )*
        }

        impl $crate::scene::read::FromTable for $name {
            fn read_table(
                table: &mut $crate::scene::read::TableReader<'_>,
                notes: &mut $crate::scene::read::Notes,
            ) -> Option<Self> {
                let word = table.field::<$crate::scene::read::Text>($tag, notes);
                match word.as_ref().map(|word| word.value.as_str()) {
                    $( Some($word) => {
                        <$type as $crate::scene::read::FromTable>::read_table(table, notes).map(Self::$variant)
                    } )*
                    _ => {
                        table.allow_unknown_keys();
                        notes.unknown_word(word?, $tag, &[$($word),*]);
                        None
                    }
                }
            }

            fn describe(schema: &mut $crate::scene::read::TableSchema) {
                schema.describe(concat!("", $( $doc, "\n", )*));
                $( schema.variant::<$type>($tag, $word); )*
            }
        }
    };
}

/// Lets a key hold one of a few words that stand for values.
macro_rules! words {
    ( $what:literal, $type:ty { $( $word:literal => $value:expr, )* } ) => {
        impl $crate::scene::read::FromScene for $type {
            fn read(
                node: &$crate::scene::read::Node<'_>,
                notes: &mut $crate::scene::read::Notes,
            ) -> Option<Self> {
                let word = <$crate::scene::read::Text as $crate::scene::read::FromScene>::read(node, notes)?;
                match word.value.as_str() {
                    $( $word => Some($value), )*
                    _ => {
                        notes.unknown_word(word, $what, &[$($word),*]);
                        None
                    }
                }
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({ "enum": [$($word),*] })
            }
        }
    };
}

pub(in crate::scene) use {table, tagged, words};
