//! Scan of a table function whose arguments are known when it runs.

use std::rc::Rc;

use super::relation_scan::RelationScan;
use crate::error::Result;
use crate::exec::operator::{Operator, Poll};
use crate::expr::Context;
use crate::plan;

pub struct TableFunction {
    pub function: Rc<plan::TableFunction>,
    pub scan: Option<RelationScan>,
}

impl Operator for TableFunction {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let scan = match &mut self.scan {
            Some(scan) => scan,
            none => {
                let arguments = self.function.arguments.iter().map(|argument| argument.eval_constant(context));
                let arguments = arguments.collect::<Result<Vec<_>>>()?;
                let relation = context.catalog.table_function(&self.function.name, &arguments)?;
                let columns = (0..self.function.columns.len()).collect();
                none.insert(RelationScan::new(&relation, columns, Rc::default(), context)?)
            }
        };
        scan.next(context)
    }
}
